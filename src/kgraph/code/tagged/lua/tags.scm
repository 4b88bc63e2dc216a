((function_call name: (identifier) @_r arguments: (arguments . [(string content: (string_content) @target) (string (string_content) @target)] .)) @import
 (#eq? @_r "require") (#set! form "required"))
((assignment_statement (variable_list . name: (identifier) @alias .) (expression_list . value:
   (function_call name: (identifier) @_r arguments: (arguments . (string content: (string_content) @target) .)) @import .))
 (#eq? @_r "require") (#set! form "required"))
((function_call name: (identifier) @_r arguments: (arguments . (string content: (string_content) @target) .)) @import
 (#any-of? @_r "dofile" "loadfile") (#set! form "path"))

(function_declaration name: [(identifier) (dot_index_expression) (method_index_expression)] @name) @definition.function
(assignment_statement (variable_list . name: (_) @name) (expression_list . value: (function_definition))) @definition.function
(field name: (identifier) @name value: (function_definition)) @definition.function

((function_call name: (identifier) @name) @reference.call (#not-any-of? @name "require" "dofile" "loadfile" "print" "pairs" "ipairs" "type"))
(function_call name: (dot_index_expression table: (_) @receiver field: (identifier) @name)) @reference.call
(function_call name: (method_index_expression table: (_) @receiver method: (identifier) @name)) @reference.call
