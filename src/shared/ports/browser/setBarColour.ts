/** Gives the bars of the browser a colour in each scheme. */
export function setBarColour(colours: { readonly light: string; readonly dark: string }): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]'))
    meta.content = colours[meta.media.includes('dark') ? 'dark' : 'light'];
}
