import { once } from 'node:events';
import { chmodSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { createService } from '../../src/index.ts';
import { newDatabase } from './postgres.ts';
import { createTestDeployment } from './testDeployment.ts';
import { encryptionKey } from './testService.ts';
import { minimal, vestibule } from './vestibule.ts';

/** The file of a deployment. */
interface File {
  readonly page: Record<string, unknown>;
  readonly service: { environment: Record<string, string | number> } & Record<string, unknown>;
}

/** What a mistake can use. */
interface Place {
  readonly folder: string;
  /** A port that another program has. */
  readonly takenPort: number;
  /** The address of the database. */
  readonly url: string;
}

/** Changes the file, or returns the text that it has instead. */
type Change = (file: File, place: Place) => string | undefined;

/**
 * A mistake, the first line that the commands print (with `FOLDER` for the folder, and `TAKEN` for the port in use), and the change that makes it.
 */
export type Mistake = readonly [name: string, sentence: string, change: Change];

const changes =
  (change: (file: File, place: Place) => unknown): Change =>
  (file, place) => {
    change(file, place);
    return undefined;
  };

/** Sets keys of the page. */
export const page = (keys: object): Change => changes((file) => Object.assign(file.page, keys));

/** Sets keys of the service. */
export const service = (keys: object): Change => changes((file) => Object.assign(file.service, keys));

/** Sets variables. */
export const variables = (given: (place: Place) => Readonly<Record<string, string | number>>): Change =>
  changes((file, place) => Object.assign(file.service.environment, given(place)));

/** Removes a key of the page. */
export const without = (key: string): Change => changes((file) => Reflect.deleteProperty(file.page, key));

/** Writes a file into the folder of the deployment. */
export const fileOf = (name: string, text: (place: Place) => string, mode = 0o640): Change =>
  changes((_file, place) => {
    const written = path.join(place.folder, name);
    writeFileSync(written, text(place));
    chmodSync(written, mode);
  });

/** As `fileOf`, with an owner who is neither root nor the user of the service. */
export const foreignFileOf = (name: string, text: (place: Place) => string): Change =>
  both(
    fileOf(name, text),
    changes((_file, { folder }) => {
      chownSync(path.join(folder, name), 4242, 4242);
    }),
  );

/** Changes the text of the file, after an optional other change. */
export const text =
  (change: (yaml: string) => string, first?: Change): Change =>
  (file, place) => {
    first?.(file, place);
    return change(stringify(file));
  };

/** Several changes. */
export const both = (...given: readonly Change[]): Change =>
  changes((file, place) => {
    for (const change of given) change(file, place);
  });

/** The end of a sentence of `vestibule` about a variable, and about the file. */
export const readme = 'See packages/service/README.md.';
export const guide = 'See docs/operations.md.';

/** What the commands answer to a mistake: the first line of the sentence, and that they end with an error. */
export interface Refusals {
  readonly check: { readonly sentence: string; readonly stdout: string; readonly status: number | null };
  readonly serve: { readonly sentence: string; readonly event: unknown; readonly status: number | null };
}

/** What they answer if both refuse it with a sentence. */
export const refusedWith = (sentence: string): Refusals => ({
  check: { sentence, stdout: '', status: 1 },
  serve: { sentence, event: 'start failed', status: 1 },
});

/** Makes a deployment in which mistakes can be made, one after another. */
async function openMistakes(): Promise<{
  readonly refusalsOf: (change: Change) => Promise<Refusals>;
  readonly close: () => void;
}> {
  const deployment = await createTestDeployment();
  const taken = createServer().listen(0);
  await once(taken, 'listening');
  const place = {
    folder: deployment.folder,
    takenPort: (taken.address() as AddressInfo).port,
    url: await usedDatabase(),
  };
  const named = (said: string): string =>
    (said.split('\n')[0] ?? '')
      .replaceAll(place.folder, 'FOLDER')
      .replaceAll(String(place.takenPort), 'TAKEN');
  return {
    refusalsOf: async (change) => {
      const config = make(change, deployment.deployment, place);
      const check = await vestibule({}, ['check', config]);
      const serve = await vestibule({}, ['--config', config, 'serve']);
      const { event, reason } = JSON.parse(serve.stdout.trim().split('\n').at(-1) ?? '{}') as {
        readonly event?: string;
        readonly reason?: string;
      };
      return {
        check: { sentence: named(check.stderr), stdout: check.stdout, status: check.status },
        serve: { sentence: named(reason ?? ''), event, status: serve.status },
      };
    },
    close: () => {
      taken.close();
      deployment.remove();
    },
  };
}

/** Makes the folder without former mistakes, and the file with this one. @returns its path. */
function make(change: Change, yaml: string, place: Place): string {
  const { folder, url } = place;
  for (const [name, content] of [
    ['database-url', url],
    ['encryption-key', encryptionKey],
  ] as const) {
    rmSync(path.join(folder, name), { force: true });
    writeFileSync(path.join(folder, name), content, { mode: 0o600 });
  }
  const file = parse(yaml.replaceAll(/(test):[0-9]{4,5}/g, '$1')) as File;
  // A start that fails later would leave the port open in this process.
  file.service.environment['REDIRECT_PORT'] = 0;
  const config = path.join(folder, 'deployment.yaml');
  writeFileSync(config, change(file, place) ?? stringify(file));
  return config;
}

/** A database with signing keys. */
async function usedDatabase(): Promise<string> {
  const url = await newDatabase();
  const { close } = await createService({
    database: { url },
    issuer: minimal.ISSUER,
    allowedOrigins: [minimal.ALLOWED_ORIGINS],
    encryptionKey,
  });
  await close();
  return url;
}

/** A deployment for the tests of a file. @returns what `check` and `serve` print after a change of it. */
export function refusals(): (change: Change) => Promise<Refusals> {
  let made: Awaited<ReturnType<typeof openMistakes>>;
  beforeAll(async () => {
    made = await openMistakes();
  });
  afterAll(() => {
    made.close();
  });
  return (change) => made.refusalsOf(change);
}
