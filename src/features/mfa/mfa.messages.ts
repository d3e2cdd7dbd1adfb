/** Every text of two-step verification. */
export const mfaMessages = {
  methods: {
    text: /*i18n*/ { id: 'mfa.methods.text', message: 'SMS Text Message' },
    app: /*i18n*/ { id: 'mfa.methods.app', message: 'Authenticator App' },
  },
  status: {
    title: /*i18n*/ { id: 'mfa.status.title', message: '2-Step Verification' },
    off: /*i18n*/ {
      id: 'mfa.status.off',
      message: 'Add a second step to your sign-in, by text message or by authenticator app.',
    },
    active: /*i18n*/ { id: 'mfa.status.active', message: 'active' },
    phoneEnding: (lastFour: string) => /*i18n*/ ({
      id: 'mfa.status.phoneEnding',
      message: 'Phone number ending in {lastFour}',
      values: { lastFour },
    }),
    getStarted: /*i18n*/ { id: 'mfa.status.getStarted', message: 'Get Started' },
    changeNumber: /*i18n*/ { id: 'mfa.status.changeNumber', message: 'Change Number' },
    addNewApp: /*i18n*/ { id: 'mfa.status.addNewApp', message: 'Add New App' },
    turnOff: /*i18n*/ { id: 'mfa.status.turnOff', message: 'Turn Off' },
    loading: /*i18n*/ { id: 'mfa.status.loading', message: 'Loading your 2-step status' },
    failed: /*i18n*/ { id: 'mfa.status.failed', message: 'Your 2-step status could not be loaded.' },
    tryAgain: /*i18n*/ { id: 'mfa.status.tryAgain', message: 'Try Again' },
  },
  enrolmentTitle: /*i18n*/ { id: 'mfa.enrolmentTitle', message: 'Enable 2-Step Verification' },
  step: (step: number, of: number) => /*i18n*/ ({
    id: 'mfa.step',
    message: 'Step {step} of {of}',
    values: { step, of },
  }),
  options: {
    recommended: /*i18n*/ { id: 'mfa.options.recommended', message: 'recommended' },
    back: /*i18n*/ { id: 'mfa.options.back', message: 'Account Settings' },
  },
  phone: {
    title: /*i18n*/ { id: 'mfa.phone.title', message: "Let's set up your phone" },
    country: /*i18n*/ { id: 'mfa.phone.country', message: 'Country' },
    countries: {
      US: /*i18n*/ { id: 'mfa.phone.countries.US', message: 'United States (+1)' },
      GB: /*i18n*/ { id: 'mfa.phone.countries.GB', message: 'United Kingdom (+44)' },
    },
    phone: /*i18n*/ { id: 'mfa.phone.phone', message: 'Phone number' },
    placeholder: /*i18n*/ { id: 'mfa.phone.placeholder', message: 'Enter Phone Number' },
    rates: /*i18n*/ { id: 'mfa.phone.rates', message: 'Standard text message rates may apply.' },
    invalid: /*i18n*/ {
      id: 'mfa.phone.invalid',
      message: 'Please enter a phone number of the United States or the United Kingdom.',
    },
    submit: /*i18n*/ { id: 'mfa.phone.submit', message: 'Continue' },
    back: /*i18n*/ { id: 'mfa.phone.back', message: 'Account Settings' },
  },
  qrCode: {
    title: /*i18n*/ { id: 'mfa.qrCode.title', message: "Let's set up your app" },
    text: /*i18n*/ { id: 'mfa.qrCode.text', message: 'Scan this code with your authenticator app.' },
    picture: /*i18n*/ {
      id: 'mfa.qrCode.picture',
      message: 'QR code. If you cannot scan it, enter the key below.',
    },
    secretKey: /*i18n*/ { id: 'mfa.qrCode.secretKey', message: 'Secret key' },
    copy: /*i18n*/ { id: 'mfa.qrCode.copy', message: 'Copy Key' },
    copied: /*i18n*/ { id: 'mfa.qrCode.copied', message: 'Copied' },
    copyRefused: /*i18n*/ {
      id: 'mfa.qrCode.copyRefused',
      message: 'Your browser did not allow copying. The key is selected: press Ctrl+C (⌘C on a Mac).',
    },
    openApp: /*i18n*/ { id: 'mfa.qrCode.openApp', message: 'Open Authenticator App' },
    loading: /*i18n*/ { id: 'mfa.qrCode.loading', message: 'Loading the QR code' },
    failed: /*i18n*/ { id: 'mfa.qrCode.failed', message: 'The QR code could not be loaded.' },
    gone: /*i18n*/ { id: 'mfa.qrCode.gone', message: 'The QR code is no longer held.' },
    tryAgain: /*i18n*/ { id: 'mfa.qrCode.tryAgain', message: 'Try Again' },
    submit: /*i18n*/ { id: 'mfa.qrCode.submit', message: 'Continue' },
    back: /*i18n*/ { id: 'mfa.qrCode.back', message: 'Account Settings' },
  },
  code: {
    title: /*i18n*/ { id: 'mfa.code.title', message: 'Enter the verification code' },
    text: /*i18n*/ {
      id: 'mfa.code.text',
      message: 'We just sent a text message with your verification code to your phone number ending in',
    },
    app: /*i18n*/ { id: 'mfa.code.app', message: 'Enter the 6-digit code from your app' },
    label: /*i18n*/ { id: 'mfa.code.label', message: 'Verification code' },
    length: /*i18n*/ { id: 'mfa.code.length', message: '6 digits' },
    submit: /*i18n*/ { id: 'mfa.code.submit', message: 'Verify' },
    back: {
      text: /*i18n*/ { id: 'mfa.code.back.text', message: 'Back to Phone Setup' },
      app: /*i18n*/ { id: 'mfa.code.back.app', message: 'Back to QR Code' },
    },
  },
  activated: {
    title: /*i18n*/ { id: 'mfa.activated.title', message: '2-Step Verification is on' },
    text: {
      text: /*i18n*/ {
        id: 'mfa.activated.text.text',
        message: 'When you sign in, we send a code to your phone by text message.',
      },
      app: /*i18n*/ {
        id: 'mfa.activated.text.app',
        message: 'When you sign in, you enter a code from your authenticator app.',
      },
    },
    phoneEnding: (lastFour: string) => /*i18n*/ ({
      id: 'mfa.activated.phoneEnding',
      message: 'Your phone number ends in {lastFour}.',
      values: { lastFour },
    }),
    signIn: /*i18n*/ { id: 'mfa.activated.signIn', message: 'Sign In' },
    done: /*i18n*/ { id: 'mfa.activated.done', message: 'Done' },
  },
  enrolmentError: {
    id: 'enrolment-error',
    title: /*i18n*/ { id: 'mfa.enrolmentError.title', message: 'Setup Error' },
    confirmLabel: /*i18n*/ { id: 'mfa.enrolmentError.confirmLabel', message: 'Ok' },
  },
};
