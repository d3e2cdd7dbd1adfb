/** After jest's last test; Playwright calls what `globalSetup` returned. */
export default async function globalTeardown(): Promise<void> {
  const { stopPostgres } = globalThis as { stopPostgres?: () => Promise<void> };
  await stopPostgres?.();
}
