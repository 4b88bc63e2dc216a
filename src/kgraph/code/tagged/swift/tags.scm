((import_declaration) @import (#set! form "clause"))

(class_declaration name: (type_identifier) @name) @definition.class
(class_declaration name: (user_type (type_identifier) @name)) @definition.extension
(protocol_declaration name: (type_identifier) @name) @definition.class
(function_declaration name: (simple_identifier) @name) @definition.function

(call_expression . (simple_identifier) @name) @reference.call
(call_expression . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @name))) @reference.call
(class_declaration (inheritance_specifier inherits_from: (user_type (type_identifier) @name)) @reference.inherits)
(protocol_declaration (inheritance_specifier inherits_from: (user_type (type_identifier) @name)) @reference.inherits)
