"""JavaScript and TypeScript, with JSX, Vue and Svelte: parsed with tree-sitter, resolved as Node, TypeScript and bundlers do."""
