import { Card } from '@shared/ui/Card';
import { authMessages } from '../auth.messages';

/** What somebody who has signed in inside a parent's frame sees: the parent does the rest (decisions §6). */
export function SignedIn() {
  return <Card title={authMessages.signIn.signedIn} icon="done" />;
}
