((namespace_use_declaration) @import (#set! form "clause"))
([(require_expression [(string) (binary_expression) (parenthesized_expression)] @target) (require_once_expression [(string) (binary_expression) (parenthesized_expression)] @target)
  (include_expression [(string) (binary_expression) (parenthesized_expression)] @target) (include_once_expression [(string) (binary_expression) (parenthesized_expression)] @target)] @import (#set! form "path"))
(namespace_definition name: (namespace_name) @module)

(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.class
(trait_declaration name: (name) @name) @definition.class
(enum_declaration name: (name) @name) @definition.class
(function_definition name: (name) @name) @definition.function
(method_declaration name: (name) @name) @definition.function

(function_call_expression function: [(name) (qualified_name)] @name) @reference.call
(member_call_expression object: (_) @receiver name: (name) @name) @reference.call
(nullsafe_member_call_expression object: (_) @receiver name: (name) @name) @reference.call
(scoped_call_expression scope: (_) @receiver name: (name) @name) @reference.call
(object_creation_expression [(name) (qualified_name)] @name) @reference.instantiates
(base_clause [(name) (qualified_name)] @name @reference.inherits)
(class_interface_clause [(name) (qualified_name)] @name @reference.inherits)
(use_declaration [(name) (qualified_name)] @name @reference.inherits)
