import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('demo', import.meta.url));

const built = new Map<string, string>();

/** The script of a demo application, bundled when it is first asked for; `null`: there is no such application. */
export function demoScript(name: string): string | null {
  if (!['ledger.js', 'hub.js', 'partner.js'].includes(name)) return null;
  let script = built.get(name);
  if (script === undefined) {
    // The name has no extension, because the file is compiled in the package and TypeScript in the checkout.
    const entryPoints = [`./${name.replace('.js', '')}`];
    const { outputFiles } = buildSync({
      entryPoints,
      absWorkingDir: folder,
      bundle: true,
      format: 'esm',
      target: 'es2022',
      write: false,
    });
    script = outputFiles[0]?.text ?? '';
    built.set(name, script);
  }
  return script;
}
