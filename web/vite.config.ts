import { defineConfig } from "vitest/config";
import { licences } from "./build_steps/licences";

/** Where `linkwl serve` listens while the page is developed with `npm run dev`. */
const SERVER = "http://127.0.0.1:8000";

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
  server: {
    proxy: {
      "/api": {
        target: SERVER,
        changeOrigin: true,
        // The server answers no page of another origin, and the page under development has one of its own.
        configure: (proxy) => proxy.on("proxyReq", (request) => request.setHeader("Origin", SERVER)),
      },
    },
  },
  test: { include: ["tests/**/*.test.ts"] },
});
