/** The browser, system and place of an event; each is `null` if unknown. */
interface ClientDetails {
  readonly browser: string | null;
  readonly system: string | null;
}

/** The texts for a device and its network. */
export const deviceMessages = {
  /** The device, such as 'Firefox 153 on Windows'. */
  device: ({ browser, system }: ClientDetails): string =>
    browser !== null && system !== null ? `${browser} on ${system}` : (browser ?? system ?? 'Unknown device'),
  network: (network: string): string => `Network ${network}`,
} as const;
