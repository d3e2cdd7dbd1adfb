import type { ServiceContext } from '../serviceContext';
import { writeMail, type Letter } from './letter';

/** Sends a mail after the present call has been answered: neither its time nor its failure is the caller's to know. */
export function sendLater(
  { background, settings }: Pick<ServiceContext, 'background' | 'settings'>,
  to: string,
  letter: Letter,
): void {
  background.run('mail', () => settings.outbox.sendMail(writeMail(to, letter)));
}
