import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { sendText, readBody } from '../http/send.ts';

const formLimitBytes = 1024;

/**
 * Takes a form of the start page and leads back to it.
 *
 * @param backTo path and fragment on the start page.
 * @param carryOut what the form asks for; a ValiError that it throws is answered 400 in its words.
 */
export async function takeStartForm(
  request: IncomingMessage,
  response: ServerResponse,
  backTo: string,
  carryOut: (form: Readonly<Record<string, string>>) => void | Promise<void>,
): Promise<void> {
  // A page of another origin can send a form here; check the Origin header.
  if (request.headers.origin !== `http://${request.headers.host ?? ''}`) {
    sendText(response, 403, 'Only the start page has this form.');
    return;
  }
  const form = new URLSearchParams((await readBody(request, formLimitBytes)).toString('utf8'));
  try {
    await carryOut(Object.fromEntries(form));
  } catch (error) {
    if (!(error instanceof v.ValiError)) throw error;
    sendText(response, 400, error.message);
    return;
  }
  response.writeHead(303, { Location: backTo, 'Cache-Control': 'no-store', 'Content-Length': '0' }).end();
}
