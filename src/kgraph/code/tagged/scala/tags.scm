((import_declaration) @import (#set! form "clause"))
((package_clause name: (package_identifier) @module) (#set! chained "yes"))
((package_object name: (identifier) @module) (#set! chained "yes"))

(class_definition name: (identifier) @name) @definition.class
(object_definition name: (identifier) @name) @definition.class
(trait_definition name: (identifier) @name) @definition.class
(enum_definition name: (identifier) @name) @definition.class
(function_definition name: (identifier) @name) @definition.function
(function_declaration name: (identifier) @name) @definition.function
(type_definition name: (type_identifier) @name) @definition.type
(package_object body: (template_body (val_definition pattern: (identifier) @name) @definition.property))

(call_expression function: (identifier) @name) @reference.call
(call_expression function: (field_expression value: (_) @receiver field: (identifier) @name)) @reference.call
(instance_expression (type_identifier) @name) @reference.instantiates
(extends_clause type: (type_identifier) @name @reference.inherits)
(extends_clause type: (generic_type type: (type_identifier) @name) @reference.inherits)
