import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { createService } from '../../src/index.ts';
import { newDatabase } from './postgres.ts';
import { createTestDeployment, type TestDeployment } from './testDeployment.ts';
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
  /** A port that nobody has. */
  readonly freePort: number;
  /** The address of the database. */
  readonly url: string;
}

/** Changes the file, or returns the text that it has instead. */
type Change = (file: File, place: Place) => string | undefined;

/**
 * A mistake, the first line of what the commands say (`FOLDER`, `TAKEN` and `FREE` stand for what the place has), and how it is made.
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
export const variables = (
  given: (place: Place) => Readonly<Record<string, string | number>>,
): Change => changes((file, place) => Object.assign(file.service.environment, given(place)));

/** Removes a key of the page. */
export const without = (key: string): Change => changes((file) => Reflect.deleteProperty(file.page, key));

/** Writes a file beside that of the deployment. */
export const fileOf = (name: string, text: (place: Place) => string, mode = 0o640): Change =>
  changes((_file, place) => {
    const written = path.join(place.folder, name);
    writeFileSync(written, text(place));
    chmodSync(written, mode);
  });

/** Changes the text of the file. */
export const text =
  (change: (yaml: string) => string): Change =>
  (file) =>
    change(stringify(file));

/** Several changes. */
export const both = (...given: readonly Change[]): Change =>
  changes((file, place) => {
    for (const change of given) change(file, place);
  });

/** The end of a sentence of `vestibule` about a variable, and about the file. */
export const readme = 'See packages/service/README.md.';
export const guide = 'See docs/operations.md.';

/** Tests that the commands refuse each mistake with the same first line. */
export function describeMistakes(mistakes: readonly Mistake[]): void {
  let deployment: TestDeployment;
  let taken: Server;
  let place: Place;
  beforeAll(async () => {
    deployment = await createTestDeployment();
    taken = createServer().listen(0);
    await once(taken, 'listening');
    place = {
      folder: deployment.folder,
      takenPort: (taken.address() as AddressInfo).port,
      freePort: deployment.httpPort,
      url: await usedDatabase(),
    };
  });
  afterAll(() => {
    taken.close();
    deployment.remove();
  });

  /** The folder without former mistakes, and the file with this one. @returns its path. */
  const make = (change: Change): string => {
    const { folder, url } = place;
    for (const [name, content] of [
      ['database-url', url],
      ['encryption-key', encryptionKey],
    ] as const) {
      rmSync(path.join(folder, name), { force: true });
      writeFileSync(path.join(folder, name), content, { mode: 0o600 });
    }
    // Where the redirects come from.
    mkdirSync(path.join(folder, 'acme'), { recursive: true });
    const file = parse(deployment.deployment.replaceAll(/(test):[0-9]{4,5}/g, '$1')) as File;
    // A start that fails later would leave the port open in this process.
    file.service.environment['REDIRECT_PORT'] = 0;
    const config = path.join(folder, 'deployment.yaml');
    writeFileSync(config, change(file, place) ?? stringify(file));
    return config;
  };
  const named = (said: string): string =>
    (said.split('\n')[0] ?? '')
      .replaceAll(place.folder, 'FOLDER')
      .replaceAll(String(place.takenPort), 'TAKEN')
      .replaceAll(String(place.freePort), 'FREE');

  test.each(mistakes)('%s is refused by check and by serve', async (_name, sentence, change) => {
    const config = make(change);
    const check = await vestibule({}, ['check', config]);
    expect([named(check.stderr), check.stdout, check.status]).toEqual([sentence, '', 1]);
    const serve = await vestibule({}, ['--config', config, 'serve']);
    const { event, reason } = JSON.parse(serve.stdout.trim().split('\n').at(-1) ?? '{}') as {
      readonly event?: string;
      readonly reason?: string;
    };
    expect([event, named(reason ?? ''), serve.status]).toEqual(['start failed', sentence, 1]);
  });
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
