/** Writes licences.txt beside the page: name, version and licence text of every package whose code is in the bundle. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The folder of the package that a module belongs to, or null if the module is ours. */
export function packageFolder(id: string): string | null {
  const match = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll("\\", "/").replace(/^\0/, ""));
  return match?.[1] ?? null;
}

function describe(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${about.license}.`;
  return `${about.name} ${about.version} (${about.license})\n\n${text}\n`;
}

/** A Vite plugin; modules of workers are seen, too, if it is also in `worker.plugins`. */
export function licences(found: Set<string>, write: boolean): Plugin {
  return {
    name: "licences",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        for (const id of chunk.type === "chunk" ? Object.keys(chunk.modules) : []) {
          const folder = packageFolder(id);
          if (folder && existsSync(join(folder, "package.json"))) found.add(folder);
        }
      }
      if (write) {
        const source = [...found]
          .sort()
          .map(describe)
          .join(`\n${"-".repeat(80)}\n\n`);
        this.emitFile({
          type: "asset",
          fileName: "licences.txt",
          source: `This page contains these packages.\n\n${source}`,
        });
      }
    },
  };
}
