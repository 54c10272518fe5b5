import { defineConfig } from "vitest/config";
import { licences } from "./build_steps/licences";

const bundled = new Set<string>();

export default defineConfig({
  base: "/",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  plugins: [licences(bundled, true)],
  worker: { format: "es", plugins: () => [licences(bundled, false)] },
  build: {
    outDir: "../src/linkwl/serving/static",
    emptyOutDir: true,
    target: "es2022",
    // The policy of the server allows no data: scripts, and the list of files should be plain.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000" } } },
  test: { include: ["tests/**/*.test.ts"] },
});
