import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/*
 * PGlite runs each call of the protocol synchronously, which would block all other calls on the main thread. See
 * `embedded.ts`.
 */
const lite = await PGlite.create(workerData);
parentPort.on('message', async ({ id, bytes }) => {
  const messages =
    bytes === null ? await lite.close() : await lite.execProtocolStream(bytes, { throwOnError: false });
  // A cloned error keeps only its message, so its fields (code, constraint, …) are sent separately.
  parentPort.postMessage({ id, messages: messages?.map((one) => ({ ...one, message: one.message })) });
});
parentPort.postMessage({ id: 0 });
