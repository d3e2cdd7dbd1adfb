import { interactionPolicy } from 'oidc-provider';
import { findByEmail, type Person } from './people';

/**
 * The usual policy, and one check more: who is signed in here as somebody else than the application expects
 * (`login_hint`) is asked to sign in, as the originals do. Two tabs can so sign in two people.
 */
export function policyFor(people: readonly Person[]): object {
  const { base, Check } = interactionPolicy;
  const policy = base();
  policy.get('login').checks.add(
    new Check('login_hint', 'somebody else is expected', ({ oidc }) => {
      const hint = oidc.params['login_hint'];
      const expected = typeof hint === 'string' ? findByEmail(people, hint) : undefined;
      return (
        expected !== undefined &&
        oidc.session.accountId !== undefined &&
        oidc.session.accountId !== expected.id &&
        oidc.result?.login === undefined
      );
    }),
  );
  return policy;
}
