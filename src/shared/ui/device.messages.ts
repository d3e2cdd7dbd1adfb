/** Where something happened; `null`: unknown. */
interface ClientDetails {
  readonly browser: string | null;
  readonly system: string | null;
}

/** How a device and its network are named. */
export const deviceMessages = {
  /** Such as 'Firefox 153 on Windows'. */
  device: ({ browser, system }: ClientDetails): string =>
    browser !== null && system !== null ? `${browser} on ${system}` : (browser ?? system ?? 'Unknown device'),
  network: (network: string): string => `Network ${network}`,
} as const;
