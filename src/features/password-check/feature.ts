import type { MessageDescriptor } from '@lingui/core';
import { createOptionalChunk } from '@shared/chunk';
import type { Feature } from '@shared/deps';
import { passwordCheckScenarios } from './passwordCheck.scenarios';

/** See docs/behaviour.md#passwords. */
export const passwordCheck = {
  name: 'password-check',
  passwordRefusals: createOptionalChunk<Readonly<Record<string, MessageDescriptor>>>(
    async () =>
      (await import(/* webpackChunkName: "extensions" */ './passwordCheck.messages')).passwordCheckMessages,
  ),
  ...(process.env['NODE_ENV'] !== 'production' && { scenarios: passwordCheckScenarios }),
} as const satisfies Feature;
