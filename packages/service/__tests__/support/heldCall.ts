import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestService } from './testService.ts';

/** Begins a call whose body is held back when its bearer has been checked. @returns sends the rest, and gives the status. */
export async function heldCall(
  service: TestService,
  path: string,
  bearer: string,
  body: object,
): Promise<() => Promise<unknown>> {
  const payload = JSON.stringify(body);
  const isRead = service.nextClockRead();
  const call = request(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${bearer}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(payload),
    },
  });
  const status = new Promise((resolve, reject) => {
    call.on('error', reject).on('response', (response) => {
      resolve(response.resume().statusCode);
    });
  });
  call.write(payload.slice(0, 1));
  await isRead;
  await pause(200);
  return () => {
    call.end(payload.slice(1));
    return status;
  };
}
