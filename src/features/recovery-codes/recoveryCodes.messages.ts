import { plural } from '@vestibule/contract/plural';
import { texts } from '@shared/texts';

/** The texts of recovery codes, except those of `/two-auth`. */
export const recoveryMessages = texts('recovery-codes', {
  left: (count: number): string =>
    plural(count, {
      '=0': 'No recovery codes',
      one: '1 recovery code left',
      other: '# recovery codes left',
    }),
  few: 'Get new ones before you run out of them.',
  get: 'Get Recovery Codes',
  failed: 'The number of your recovery codes could not be loaded.',
  replace: {
    id: 'replace-recovery-codes',
    title: 'Replace Codes',
    message: 'The recovery codes that you have will no longer work.',
    confirmLabel: 'Replace Codes',
    cancelLabel: 'Cancel',
    tone: 'danger' as const,
  },
  title: 'Your recovery codes',
  text: 'Without your phone or app you can sign in with one of these codes. Each works once. They are shown only now: keep them in a safe place.',
  list: 'Recovery codes',
  copy: 'Copy',
  copied: 'Copied',
  copyRefused: 'Your browser did not allow copying. The codes are selected: press Ctrl+C (⌘C on a Mac).',
  download: 'Download',
  print: 'Print',
  saved: 'I have saved these codes',
  done: 'Done',
  gone: 'The codes are no longer held.',
  /** The texts of the printed page and of the file. */
  sheet: {
    title: (product: string): string => `${product}: recovery codes`,
    account: (username: string): string => `Account: ${username}`,
    madeOn: (date: string): string => `Made on ${date}`,
    text: 'Each code works once, instead of a code of your phone or app.',
  },
});
