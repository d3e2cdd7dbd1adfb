// @ts-check
// New messages show without a reload.
setInterval(async () => {
  if (document.visibilityState === 'hidden') return;
  const answer = await fetch('/messages.json').catch(() => null);
  if (answer?.ok !== true) return;
  const { messages } = await answer.json();
  if (String(messages.length) !== document.body.dataset['count']) location.reload();
}, 2000);
