/**
 * Lints snippets as if they were in the project: reads `[{ path, code }]` from the standard input, writes one list of
 * `{ rule, text }` each. A separate process, because ESLint loads its configuration in ways that jest's sandbox forbids.
 */
import { ESLint } from 'eslint';
import { text } from 'node:stream/consumers';
import tseslint from 'typescript-eslint';

const eslint = new ESLint({
  // Type-aware rules need files that exist; our own rules do not need types.
  overrideConfig: [
    tseslint.configs.disableTypeChecked,
    { rules: { '@typescript-eslint/no-unused-vars': 'off' } },
  ],
});
const snippets = JSON.parse(await text(process.stdin));
const answers = [];
for (const { path, code } of snippets) {
  const [result] = await eslint.lintText(code, { filePath: path });
  answers.push(result?.messages.map(({ ruleId, message }) => ({ rule: ruleId, text: message })) ?? []);
}
process.stdout.write(JSON.stringify(answers));
