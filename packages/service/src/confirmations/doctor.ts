import { find, Wrong, type Finding } from '../platform/doctor/findings.ts';
import type { Processes } from '../platform/doctor/machineFiles.ts';

/** Checks that a new passkey or phone can ever confirm payments. */
export async function elementFindings({ environment }: Processes): Promise<readonly Finding[]> {
  const { CONFIRMATION_ENROLMENT_HOURS: hours, NOTICES: notices } = environment;
  if (hours === undefined) return [];
  return [
    await find('payments', 'new passkeys and phones', () => {
      if (hours !== '0' && notices !== 'on')
        throw new Wrong(
          'No mail tells users of a new passkey or phone, so that none confirms payments by time alone.',
          'Add the extension notices; with service.confirmations.enrolmentHours: 0 they confirm payments at once.',
          'warning',
        );
    }),
  ];
}
