((using_directive) @import (#set! form "clause"))
(namespace_declaration name: (_) @module)
(file_scoped_namespace_declaration name: (_) @module)

(class_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(enum_declaration name: (identifier) @name) @definition.class
(method_declaration name: (identifier) @name) @definition.function
(constructor_declaration name: (identifier) @name) @definition.function
(local_function_statement name: (identifier) @name) @definition.function

(invocation_expression function: (identifier) @name) @reference.call
(invocation_expression function: (generic_name (identifier) @name)) @reference.call
(invocation_expression function: (member_access_expression "this" @receiver name: (identifier) @name)) @reference.call
(invocation_expression function: (member_access_expression expression: (_) @receiver name: (identifier) @name)) @reference.call
(object_creation_expression type: [(identifier) (qualified_name)] @name) @reference.instantiates
(object_creation_expression type: (generic_name (identifier) @name)) @reference.instantiates
(base_list [(identifier) (qualified_name)] @name @reference.inherits)
(base_list (generic_name (identifier) @name) @reference.inherits)
