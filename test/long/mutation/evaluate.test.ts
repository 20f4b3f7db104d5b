import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { evaluate, type MutantStatus, type TestedMutant } from './evaluate.ts';
import { floors } from './floors.ts';
import { renderReport } from './report.ts';

/** A mutant for each status, at the lines 1, 2, 3 and so on. */
function mutantsOf(fileName: string, statuses: readonly MutantStatus[]): readonly TestedMutant[] {
  return statuses.map((status, index) => ({
    fileName,
    location: { start: { line: index + 1, column: 7 } },
    mutatorName: 'StringLiteral',
    replacement: '""',
    status,
    ...(status === 'Ignored' ? { statusReason: 'It changes nothing' } : {}),
  }));
}

const nine = Array.from({ length: 9 }, () => 'Killed' as const);

function problemsOf(statuses: readonly MutantStatus[]): readonly string[] | undefined {
  return evaluate(mutantsOf('contract/a.ts', statuses), { contract: 90 })[0]?.problems;
}

describe('a folder', () => {
  test('passes at its floor, and fails below it', () => {
    expect(problemsOf([...nine, 'Survived'])).toEqual([]);
    expect(problemsOf([...nine, 'Survived', 'Survived'])).toEqual(['its score is below 90 %']);
  });

  test('has a mutant detected when the tests do not end', () => {
    expect(problemsOf([...nine, 'Timeout', 'Survived'])).toEqual([]);
  });

  test('fails with a mutant that no test reaches, which its score leaves out', () => {
    const [score] = evaluate(mutantsOf('contract/a.ts', ['Killed', 'NoCoverage']), { contract: 90 });
    expect(score).toMatchObject({ score: 100, problems: ['no test reaches 1 mutant'] });
  });

  test('counts a disabled mutant nowhere else', () => {
    const [score] = evaluate(mutantsOf('contract/a.ts', [...nine, 'Ignored', 'Ignored']), { contract: 90 });
    expect(score).toMatchObject({ score: 100, problems: [], killed: 9 });
    expect(score?.disabled).toHaveLength(2);
  });

  test.each(['RuntimeError', 'CompileError', 'Pending'] as const)('fails with the outcome %s', (status) => {
    expect(problemsOf([...nine, status])).toEqual(['1 mutant could not be judged']);
  });

  test('fails without mutants, since its path is then wrong', () => {
    expect(problemsOf([])).toEqual(['it has no mutant']);
  });

  test('has the mutants of its own files alone', () => {
    const mutants = [
      ...mutantsOf('lambdas/token/a.ts', ['Killed']),
      ...mutantsOf('lambdas/token-more/a.ts', ['Survived']),
    ];
    const scores = evaluate(mutants, { 'lambdas/token': 90, 'lambdas/token-more': 90 });
    expect(scores.map(({ score }) => score)).toEqual([100, 0]);
  });
});

test('every folder of what is mutated has a floor', async () => {
  const lambdas = await readdir(new URL('../../../lambdas/', import.meta.url), { withFileTypes: true });
  const folders = lambdas.filter((entry) => entry.isDirectory()).map(({ name }) => `lambdas/${name}`);
  expect(Object.keys(floors).toSorted()).toEqual(['contract', 'storage', ...folders].toSorted());
});

test('the report counts, then names what was not detected, what is disabled and what fails', () => {
  const statuses = ['Killed', 'Killed', 'Survived', 'NoCoverage', 'Ignored'] as const;
  expect(renderReport(evaluate(mutantsOf('contract/a.ts', statuses), { contract: 90 }))).toBe(
    [
      'folder    mutants  killed  timed out  survived  not covered  disabled   score  floor',
      'contract        5       2          0         1            1         1  66.6 %   90 %',
      '',
      'survived: 1',
      '  contract/a.ts:3:7 StringLiteral: ""',
      '',
      'not covered: 1',
      '  contract/a.ts:4:7 StringLiteral: ""',
      '',
      'disabled: 1',
      '  contract/a.ts:5:7 StringLiteral: "" (It changes nothing)',
      '',
      'contract: its score is below 90 %',
      'contract: no test reaches 1 mutant',
      '',
    ].join('\n'),
  );
});
