import { post, type Row } from '../../support/callRow';

/** The calls of `revoke`. */
export const rows: Readonly<Record<string, Row>> = {
  'revoke, a session': [
    ({ revoke }) => revoke.end({ refresh: 'r' }),
    {},
    post('/auth/v1/revoke', { refresh: 'r' }),
    undefined,
  ],
  'revoke, setup mode': [
    ({ revoke }) => revoke.end({ mfaToken: 'm' }),
    {},
    post('/auth/v1/revoke', { mfaToken: 'm' }),
    undefined,
  ],
};
