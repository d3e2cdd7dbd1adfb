import { createHmac } from 'node:crypto';
import { expect } from '@playwright/test';
import type { LocalEnvironment } from './environment';

const stepMs = 30_000;

/**
 * The code of an authenticator app (RFC 6238, SHA-1, six digits): implemented from the RFC, separately from the service's own.
 *
 * @param key - base32
 * @param ahead - steps of 30 s from now; the service accepts the next step's code early, and each step's only once
 */
export function appCode(key: string, ahead = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / stepMs) + ahead));
  const digest = createHmac('sha1', fromBase32(key)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text.toUpperCase().replace(/=+$/, ''), (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of the newest text message, once there are `messages` of them to this number. */
export async function textedCode(
  environment: LocalEnvironment,
  phone: string,
  messages = 1,
): Promise<string> {
  const texts = async () => (await environment.outbox()).filter(({ to }) => to === phone);
  await expect.poll(async () => (await texts()).length, { message: 'text messages sent' }).toBe(messages);
  const code = /\b[0-9]{6}\b/.exec((await texts())[0]?.text ?? '');
  if (!code) throw new Error('The text message holds no code');
  return code[0];
}

/** A code of six digits that is not this one. */
export const wrongCode = (right: string): string => (right === '123456' ? '654321' : '123456');
