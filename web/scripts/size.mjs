// The page stays small: all JavaScript together, gzipped, must fit the budget.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const BUDGET_BYTES = 60 * 1024;
const BUILT = new URL("../../src/echovessel/api/page/", import.meta.url).pathname;

const scripts = readdirSync(BUILT, { recursive: true }).filter((name) => name.endsWith(".js"));
const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(BUILT, name))).length, 0);

process.stdout.write(`JavaScript: ${(bytes / 1024).toFixed(1)} of ${BUDGET_BYTES / 1024} kB gzip\n`);
if (scripts.length === 0 || bytes > BUDGET_BYTES) {
  process.stderr.write(scripts.length === 0 ? "Nothing was built.\n" : "Over the budget: leave something out.\n");
  process.exit(1);
}
