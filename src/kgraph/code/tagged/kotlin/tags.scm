((import) @import (#set! form "clause"))
(package_header (qualified_identifier) @module)

(class_declaration name: (identifier) @name) @definition.class
(object_declaration name: (identifier) @name) @definition.class
(function_declaration name: (identifier) @name) @definition.function
(type_alias type: (identifier) @name) @definition.type
(source_file (property_declaration (variable_declaration (identifier) @name)) @definition.property)

(call_expression . (identifier) @name) @reference.call
(call_expression . (navigation_expression . (_) @receiver (identifier) @name .)) @reference.call
(delegation_specifier (user_type (identifier) @name .)) @reference.inherits
(delegation_specifier (constructor_invocation (user_type (identifier) @name .))) @reference.inherits
