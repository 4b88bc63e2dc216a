((call !receiver method: (identifier) @_m arguments: (argument_list . (string . (string_content) @target .) .)) @import
 (#any-of? @_m "require" "load") (#set! form "required"))
((call !receiver method: (identifier) @_m arguments: (argument_list . (string . (string_content) @target .) .)) @import
 (#eq? @_m "require_relative") (#set! form "relative"))
((call method: (identifier) @_m arguments: (argument_list . (_) (string . (string_content) @target .) .)) @import
 (#eq? @_m "autoload") (#set! form "required"))

(class name: [(constant) (scope_resolution)] @name) @definition.class
(module name: [(constant) (scope_resolution)] @name) @definition.module
(method name: (_) @name) @definition.function
(singleton_method name: (_) @name) @definition.function

((call !receiver method: (identifier) @name) @reference.call
 (#not-any-of? @name "require" "require_relative" "load" "include" "extend" "prepend" "autoload" "attr_accessor" "attr_reader" "attr_writer" "private" "public" "protected" "raise" "puts" "print" "p" "lambda" "proc" "loop"))
((call receiver: (_) @receiver method: (identifier) @name) @reference.call (#not-eq? @name "new"))
((call receiver: [(constant) (scope_resolution)] @name method: (identifier) @_new) @reference.instantiates (#eq? @_new "new"))
(superclass [(constant) (scope_resolution)] @name) @reference.inherits
((call !receiver method: (identifier) @_m arguments: (argument_list [(constant) (scope_resolution)] @name)) @reference.inherits
 (#any-of? @_m "include" "extend" "prepend"))
