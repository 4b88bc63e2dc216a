(create_table . (keyword_create) (object_reference name: (identifier) @name)) @definition.table
(create_view (object_reference name: (identifier) @name)) @definition.view
(create_materialized_view (object_reference name: (identifier) @name)) @definition.view
(create_function (object_reference name: (identifier) @name)) @definition.function

(column_definition (keyword_references) (object_reference name: (identifier) @name) @reference.references)
(constraint (keyword_references) (object_reference name: (identifier) @name) @reference.references)
(from (relation (object_reference name: (identifier) @name) @reference.reads))
(join (relation (object_reference name: (identifier) @name) @reference.reads))
