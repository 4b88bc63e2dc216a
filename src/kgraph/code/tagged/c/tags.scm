(preproc_include path: (string_literal (string_content) @target)) @import
((preproc_include path: (system_lib_string) @target) @import (#set! form "system"))

(function_definition declarator: (function_declarator declarator: (identifier) @name)) @definition.function
(function_definition (storage_class_specifier) @local declarator: (function_declarator declarator: (identifier) @name) (#eq? @local "static")) @definition.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @definition.function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @definition.function
(function_definition declarator: (parenthesized_declarator (identifier) @name)) @definition.function
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator (identifier) @name))) @definition.function
(preproc_function_def name: (identifier) @name) @definition.macro
(struct_specifier name: (type_identifier) @name body: (_)) @definition.class
(union_specifier name: (type_identifier) @name body: (_)) @definition.class
(enum_specifier name: (type_identifier) @name body: (_)) @definition.class

(call_expression function: (identifier) @name) @reference.call
