/** The texts for a device and its network. */
export const deviceMessages = {
  browserOn: (browser: string, system: string) => /*i18n*/ ({
    id: 'device.browserOn',
    message: '{browser} on {system}',
    comment: "Such as 'Firefox 153 on Windows'.",
    values: { browser, system },
  }),
  unknown: /*i18n*/ { id: 'device.unknown', message: 'Unknown device' },
  network: (network: string) => /*i18n*/ ({
    id: 'device.network',
    message: 'Network {network}',
    values: { network },
  }),
};
