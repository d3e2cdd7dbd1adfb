import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/*
 * PGlite runs each call of the protocol to its end before it returns. On the main thread no other call would be
 * answered meanwhile. See `embedded.ts`.
 */
const lite = await PGlite.create(workerData);
parentPort.on('message', async ({ id, bytes }) => {
  const messages =
    bytes === null ? await lite.close() : await lite.execProtocolStream(bytes, { throwOnError: false });
  // An error that is cloned keeps its message and nothing else: its fields (code, constraint, …) are sent beside it.
  parentPort.postMessage({ id, messages: messages?.map((one) => ({ ...one, message: one.message })) });
});
parentPort.postMessage({ id: 0 });
