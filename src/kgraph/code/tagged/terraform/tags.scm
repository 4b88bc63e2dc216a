((block . (identifier) @_m (body (attribute (identifier) @_s (expression (literal_value (string_lit (template_literal) @target)))) @import))
 (#eq? @_m "module") (#eq? @_s "source"))

((block . (identifier) @_k . (string_lit (template_literal) @owner) . (string_lit (template_literal) @name)) @definition.resource (#eq? @_k "resource"))
((block . (identifier) @_k . (string_lit (template_literal) @owner) . (string_lit (template_literal) @name)) @definition.data (#eq? @_k "data") (#set! prefix "data."))
((block . (identifier) @_k . (string_lit (template_literal) @name)) @definition.variable (#eq? @_k "variable") (#set! prefix "var."))
((block . (identifier) @_k . (string_lit (template_literal) @name)) @definition.module (#eq? @_k "module") (#set! prefix "module."))
((block . (identifier) @_k . (string_lit (template_literal) @name)) @definition.output (#eq? @_k "output") (#set! prefix "output."))
((block . (identifier) @_k (body (attribute . (identifier) @name) @definition.local)) (#eq? @_k "locals") (#set! prefix "local."))

((expression . (variable_expr (identifier) @receiver) . (get_attr (identifier) @name)) @reference.references (#not-eq? @receiver "data"))
((expression . (variable_expr (identifier) @receiver) . (get_attr (identifier) @receiver) . (get_attr (identifier) @name)) @reference.references (#any-eq? @receiver "data"))
((template_interpolation (expression . (variable_expr (identifier) @receiver) . (get_attr (identifier) @name)) @reference.references) (#not-eq? @receiver "data"))
