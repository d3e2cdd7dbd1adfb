/** The texts of recovery codes, except those of `/two-auth`. */
export const recoveryMessages = {
  left: (count: number) => /*i18n*/ ({
    id: 'recovery-codes.left',
    message:
      '{count, plural, =0 {No recovery codes} one {1 recovery code left} other {# recovery codes left}}',
    values: { count },
  }),
  few: /*i18n*/ { id: 'recovery-codes.few', message: 'Get new ones before you run out of them.' },
  get: /*i18n*/ { id: 'recovery-codes.get', message: 'Get Recovery Codes' },
  failed: /*i18n*/ {
    id: 'recovery-codes.failed',
    message: 'The number of your recovery codes could not be loaded.',
  },
  replace: {
    id: 'replace-recovery-codes',
    title: /*i18n*/ { id: 'recovery-codes.replace.title', message: 'Replace Codes' },
    message: /*i18n*/ {
      id: 'recovery-codes.replace.message',
      message: 'The recovery codes that you have will no longer work.',
    },
    confirmLabel: /*i18n*/ { id: 'recovery-codes.replace.confirmLabel', message: 'Replace Codes' },
    cancelLabel: /*i18n*/ { id: 'recovery-codes.replace.cancelLabel', message: 'Cancel' },
    tone: 'danger' as const,
  },
  title: /*i18n*/ { id: 'recovery-codes.title', message: 'Your recovery codes' },
  text: /*i18n*/ {
    id: 'recovery-codes.text',
    message:
      'Without your phone or app you can sign in with one of these codes. Each works once. They are shown only now: keep them in a safe place.',
  },
  list: /*i18n*/ { id: 'recovery-codes.list', message: 'Recovery codes' },
  copy: /*i18n*/ { id: 'recovery-codes.copy', message: 'Copy' },
  copied: /*i18n*/ { id: 'recovery-codes.copied', message: 'Copied' },
  copyRefused: /*i18n*/ {
    id: 'recovery-codes.copyRefused',
    message: 'Your browser did not allow copying. The codes are selected: press Ctrl+C (⌘C on a Mac).',
  },
  download: /*i18n*/ { id: 'recovery-codes.download', message: 'Download' },
  print: /*i18n*/ { id: 'recovery-codes.print', message: 'Print' },
  saved: /*i18n*/ { id: 'recovery-codes.saved', message: 'I have saved these codes' },
  done: /*i18n*/ { id: 'recovery-codes.done', message: 'Done' },
  gone: /*i18n*/ { id: 'recovery-codes.gone', message: 'The codes are no longer held.' },
  /** The texts of the printed page and of the file. */
  sheet: {
    title: (product: string) => /*i18n*/ ({
      id: 'recovery-codes.sheet.title',
      message: '{product}: recovery codes',
      values: { product },
    }),
    account: (username: string) => /*i18n*/ ({
      id: 'recovery-codes.sheet.account',
      message: 'Account: {username}',
      values: { username },
    }),
    madeOn: (date: string) => /*i18n*/ ({
      id: 'recovery-codes.sheet.madeOn',
      message: 'Made on {date}',
      values: { date },
    }),
    text: /*i18n*/ {
      id: 'recovery-codes.sheet.text',
      message: 'Each code works once, instead of a code of your phone or app.',
    },
  },
};
