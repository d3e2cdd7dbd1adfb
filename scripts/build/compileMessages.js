// @ts-check
const { compileMessageOrThrow } = require('@lingui/message-utils/compileMessage');
const ts = require('typescript');

const { factory } = ts;

/** @param {unknown} value a compiled message, or a part of it @returns {ts.Expression} */
function literalOf(value) {
  if (Array.isArray(value)) return factory.createArrayLiteralExpression(value.map(literalOf));
  if (typeof value !== 'object' || value === null) return factory.createStringLiteral(String(value));
  // The offset of a plural is undefined.
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  return factory.createObjectLiteralExpression(
    fields.map(([name, one]) =>
      factory.createPropertyAssignment(factory.createStringLiteral(name), literalOf(one)),
    ),
  );
}

/**
 * Compiles the English text of each message, because the page has no compiler for messages, and removes the comments for translators.
 *
 * @type {ts.TransformerFactory<ts.SourceFile>}
 */
const compileMessages = (context) => (file) => {
  if (!file.fileName.endsWith('.messages.ts')) return file;
  /** @param {ts.Node} node @returns {ts.Node | undefined} */
  const visit = (node) => {
    if (!ts.isPropertyAssignment(node) || !ts.isStringLiteralLike(node.initializer))
      return ts.visitEachChild(node, visit, context);
    const name = node.name.getText(file);
    if (name === 'comment') return undefined;
    if (name !== 'message') return node;
    return factory.updatePropertyAssignment(
      node,
      node.name,
      literalOf(compileMessageOrThrow(node.initializer.text)),
    );
  };
  return ts.visitEachChild(file, visit, context);
};

module.exports = { compileMessages };
