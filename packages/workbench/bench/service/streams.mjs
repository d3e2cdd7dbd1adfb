// @ts-check
// Open event streams of one process: its memory, its processor time, and the time from a commit until the last stream has its event.
import net from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { processorSeconds, residentMegabytes } from './deployment.mjs';

/** The most streams of a session that the service keeps open. */
export const streamsOfSession = 10;
/** How often the service sends each stream a comment, ms. */
const commentMs = 20_000;
const [commentRounds, changes] = [3, 200];

/**
 * @param {import('./deployment.mjs').TestDeployment} deployment
 * @param {import('./deployment.mjs').ServiceNode} node
 * @param {readonly import('./load.mjs').Person[]} persons - signed in
 */
export async function measureStreams(deployment, { url, pid }, persons) {
  const used = () => processorSeconds(pid);
  /** Seconds of processor time within the time of a comment. */
  const perComment = async () => {
    const begin = used();
    await pause(commentMs * commentRounds);
    return (used() - begin) / commentRounds;
  };
  // The memory of the sign-ins is given back.
  await pause(commentMs);
  const idle = await perComment();
  const before = residentMegabytes(pid);
  /** @type {() => void} */
  let onHeard = () => undefined;
  /** @type {(error: Error) => void} */
  let onLost = () => undefined;
  const lost = new Promise((_resolve, reject) => (onLost = reject));
  lost.catch(() => undefined); // It is awaited when events are delivered.
  const sockets = [];
  for (const person of persons)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: streamsOfSession }, () =>
          openStream(url, person, { onEvent: () => onHeard(), onLost }),
        ),
      )),
    );
  await pause(commentMs);
  const comments = (await perComment()) - idle;
  const memory = { before, after: residentMegabytes(pid) };

  /** @param {string} statement @param {readonly string[]} values @param {number} listeners */
  const deliver = async (statement, values, listeners) => {
    const times = createHistogram();
    let [heard, begin] = [0, 0];
    const all = new Promise((resolve) => {
      onHeard = () => {
        times.record(Math.max(1, Math.round((performance.now() - begin) * 1000)));
        if (++heard === listeners) resolve(undefined);
      };
    });
    // The commit is later, by the duration of the statement.
    begin = performance.now();
    await deployment.query(statement, values);
    await Promise.race([all, lost]);
    return times;
  };
  const single = createHistogram();
  for (let change = 0; change < changes; change += 1) {
    const person = persons[change % persons.length];
    const times = await deliver(
      'update users set first_name = $2 where uid = $1',
      [person?.uid ?? '', `Ada ${change}`],
      streamsOfSession,
    );
    single.add(times);
  }
  const usedBefore = used();
  const ends = await deliver(
    "update sessions set ended_at = now(), end_reason = 'elsewhere' where ended_at is null",
    [],
    sockets.length,
  );
  await pause(1000);
  const all = used() - usedBefore;
  for (const socket of sockets) socket.destroy();
  return { streams: sockets.length, memory, comments, single, ends, all };
}

/**
 * @param {string} url
 * @param {{ token: string }} person
 * @param {{ onEvent: () => void, onLost: (error: Error) => void }} listeners - `onLost`: it ended before its session.
 * @returns {Promise<net.Socket>} once the service has said that the stream is open.
 */
function openStream(url, { token }, { onEvent, onLost }) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let hasEnded = false;
    const socket = net.connect(Number(port), hostname);
    socket.setEncoding('latin1');
    socket.write(
      `GET /auth/v1/events HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`,
    );
    socket.on('data', (/** @type {string} */ chunk) => {
      if (chunk.startsWith('HTTP/') && !chunk.startsWith('HTTP/1.1 200'))
        reject(new Error(`A stream was refused: ${chunk.slice(0, 300)}`));
      if (chunk.includes('event: session-ended')) hasEnded = true;
      if (chunk.includes('event: ')) onEvent();
      else resolve(socket);
    });
    socket.on('error', reject);
    socket.on('close', () => {
      if (!hasEnded) onLost(new Error('A stream ended before its session.'));
    });
  });
}
