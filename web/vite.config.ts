import { defineConfig } from "vite";

/** Where `npm run dev` finds the daemon. */
const daemon = "http://127.0.0.1:7777";

export default defineConfig({
  build: {
    outDir: "../src/echovessel/api/page",
    emptyOutDir: true,
    target: "es2022",
    // The daemon's content policy allows neither inline scripts nor data: addresses.
    assetsInlineLimit: 0,
    modulePreload: false,
  },
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  server: { host: "127.0.0.1", proxy: { "/api": daemon, "/login": daemon } },
});
