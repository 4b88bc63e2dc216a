((command name: (command_name) @_s . argument: (_) @target) @import (#any-of? @_s "source" "."))

(function_definition name: (word) @name) @definition.function

(command name: (command_name (word) @name)) @reference.call
