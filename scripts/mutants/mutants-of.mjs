// The mutants of a source file: each one small change that a test ought to notice. Texts are left as they are: what a message
// says is not what an engine does. So are our own internal checks (`assert`): no input reaches their other side.
import ts from 'typescript';

const K = ts.SyntaxKind;
const SWAPS = new Map([
  [K.LessThanToken, ['<=', '>=']],
  [K.LessThanEqualsToken, ['<', '>']],
  [K.GreaterThanToken, ['>=', '<=']],
  [K.GreaterThanEqualsToken, ['>', '<']],
  [K.EqualsEqualsEqualsToken, ['!==']],
  [K.ExclamationEqualsEqualsToken, ['===']],
  [K.PlusToken, ['-']],
  [K.MinusToken, ['+']],
  [K.AsteriskToken, ['/']],
  [K.SlashToken, ['*']],
  [K.PercentToken, ['*']],
  [K.AmpersandAmpersandToken, ['||']],
  [K.BarBarToken, ['&&']],
  [K.QuestionQuestionToken, ['&&']],
  [K.AmpersandToken, ['|']],
  [K.BarToken, ['&']],
  [K.LessThanLessThanToken, ['>>']],
  [K.GreaterThanGreaterThanToken, ['<<']],
  [K.PlusEqualsToken, ['-=']],
  [K.MinusEqualsToken, ['+=']]
]);

/** The source of a file, as a tree. */
export const parsed = (file, text) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** Blocks that are bodies of functions, in the order of the text: the places that say whether a test came by. */
export function bodiesOf(tree) {
  const bodies = [];
  const visit = (node) => {
    if (ts.isBlock(node) && ts.isFunctionLike(node.parent)) bodies.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return bodies;
}

/** A call of an internal check, or a statement that is nothing else. */
function isInternalCheck(node) {
  const call = ts.isExpressionStatement(node) ? node.expression : node;
  return ts.isCallExpression(call) && ts.isIdentifier(call.expression) && call.expression.text === 'assert';
}

const isText = (node) =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right)));

const conditionOf = (node) => {
  if (ts.isIfStatement(node)) return node.expression;
  return ts.isConditionalExpression(node) ? node.condition : undefined;
};

/** Calls that do something for its effect alone: `await file.flush()` as well as `seen.add(name)`. */
function isEffect(node) {
  const { expression } = node;
  return ts.isCallExpression(ts.isAwaitExpression(expression) ? expression.expression : expression);
}

/** Where and what a change at this node is: [start, end, text], none for most. */
function changesAt(node, tree) {
  const at = (place, ...texts) => texts.map((text) => [place.getStart(tree), place.getEnd(), text]);
  const condition = conditionOf(node);
  if (condition) return at(condition, 'true', 'false');
  if (ts.isWhileStatement(node)) return at(node.expression, 'false');
  if (ts.isBinaryExpression(node)) {
    const swaps = SWAPS.get(node.operatorToken.kind) ?? [];
    return node.operatorToken.kind === K.PlusToken && isText(node) ? [] : at(node.operatorToken, ...swaps);
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken) {
    return [[node.getStart(tree), node.operand.getStart(tree), '']];
  }
  if (ts.isPostfixUnaryExpression(node)) {
    const place = [node.operand.getEnd(), node.getEnd()];
    return [[...place, node.operator === K.PlusPlusToken ? '--' : '++']];
  }
  if (node.kind === K.TrueKeyword && !ts.isLiteralTypeNode(node.parent)) return at(node, 'false');
  if (node.kind === K.FalseKeyword && !ts.isLiteralTypeNode(node.parent)) return at(node, 'true');
  if (node.kind === K.QuestionDotToken && ts.isPropertyAccessExpression(node.parent)) return at(node, '.');
  if (ts.isExpressionStatement(node) && isEffect(node)) return at(node, ';');
  return [];
}

/** All mutants of a file: where the change is, what it says, and the bodies around it, the innermost last. */
export function mutantsOf(file, text) {
  const tree = parsed(file, text);
  const bodies = new Map(bodiesOf(tree).map((body, index) => [body, index]));
  const mutants = [];
  const visit = (node, body) => {
    if (isInternalCheck(node)) return;
    const inside = bodies.get(node) ?? body;
    for (const [start, end, replacement] of changesAt(node, tree)) {
      const { line } = tree.getLineAndCharacterOfPosition(start);
      mutants.push({
        file,
        line: line + 1,
        start,
        end,
        was: text.slice(start, end),
        replacement,
        body: inside
      });
    }
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(tree, undefined);
  return mutants;
}
