import { defineConfig } from "vitest/config";
import { singleFile } from "./single_file";

export default defineConfig({
  plugins: [singleFile()],
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: {
    target: "es2021",
    modulePreload: false,
    cssCodeSplit: false,
    emptyOutDir: false, // other files of the build folder are not ours
    rollupOptions: { input: "page.html", output: { format: "iife", inlineDynamicImports: true } },
  },
  test: { include: ["src/**/*_test.ts"], environment: "node" },
});
