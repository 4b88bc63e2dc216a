(preproc_include path: (string_literal (string_content) @target)) @import
((preproc_include path: (system_lib_string) @target) @import (#set! form "system"))

(namespace_definition name: (_) @name body: (_)) @definition.module
(class_specifier name: (type_identifier) @name body: (_)) @definition.class
(struct_specifier name: (type_identifier) @name body: (_)) @definition.class
(union_specifier name: (type_identifier) @name body: (_)) @definition.class
(enum_specifier name: (type_identifier) @name body: (_)) @definition.class
(function_definition (storage_class_specifier) @local declarator: (function_declarator declarator: (identifier) @name) (#eq? @local "static")) @definition.function
(function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (operator_name)] @name)) @definition.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier)] @name))) @definition.function
(function_definition declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name))) @definition.function
(preproc_function_def name: (identifier) @name) @definition.macro

(call_expression function: (identifier) @name) @reference.call
(call_expression function: (qualified_identifier) @name) @reference.call
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @name)) @reference.call
(call_expression function: (template_function name: (identifier) @name)) @reference.call
(new_expression type: [(type_identifier) (qualified_identifier)] @name) @reference.instantiates
(base_class_clause [(type_identifier) (qualified_identifier)] @name @reference.inherits)
(base_class_clause (template_type name: (type_identifier) @name) @reference.inherits)
