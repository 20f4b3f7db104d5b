import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { choose } from './choose.ts';
import { occurrences, withDefect } from './defect.ts';
import { subjects } from './defects/all.ts';
import { type Outcome, outcomeOf, type TestReport } from './outcome.ts';
import { untilCaught } from './plant.ts';
import { createProgress } from './progress.ts';
import { countsTable, lineOf } from './report.ts';

const root = new URL('../../../', import.meta.url);
const defects = subjects.flatMap((one) => one.defects);

describe('the planted defects', () => {
  it('each find their text exactly once in the code as it is', () => {
    const counts = defects.map(({ name, file, find }) => ({
      name,
      found: occurrences(readFileSync(new URL(file, root), 'utf8'), find),
    }));
    expect(counts.filter(({ found }) => found !== 1)).toEqual([]);
  });

  it('change their text, and say which promise that breaks', () => {
    expect(defects.filter(({ find, replace }) => find === replace)).toEqual([]);
    expect(defects.filter(({ promise }) => promise.length < 20)).toEqual([]);
  });

  it('have names of their own, which no subject has', () => {
    const names = [...defects.map(({ name }) => name), ...subjects.map(({ subject }) => subject)];
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  it('name tests that exist: files of tests, or folders', () => {
    for (const { name, tests } of defects) {
      expect(tests.length, name).toBeGreaterThan(0);
      for (const test of tests) {
        const isFolder = statSync(new URL(test, root)).isDirectory();
        expect(isFolder || test.endsWith('.test.ts'), `${name}: ${test}`).toBe(true);
      }
    }
  });

  it('break the infrastructure, the commands and the emulator too', () => {
    const within = (folder: string) => defects.filter(({ file }) => file.startsWith(folder)).length;
    expect(within('lib/')).toBeGreaterThanOrEqual(35);
    expect(within('cli/')).toBeGreaterThanOrEqual(10);
    expect(within('emulator/')).toBeGreaterThanOrEqual(10);
  });
});

describe('planting', () => {
  it('edits a text that occurs once, as it is written', () => {
    expect(withDefect('a(b) c', { find: '(b)', replace: '$&' })).toBe('a$& c');
  });

  it.each(['a c', 'a b b'])('edits nothing in %j, where the text does not occur once', (source) => {
    expect(withDefect(source, { find: 'b', replace: 'd' })).toBeUndefined();
  });

  it('stops at the first test file that does not pass, the cheapest first', async () => {
    const outcomes: Readonly<Record<string, Outcome>> = {
      one: { result: 'not caught' },
      two: { result: 'caught', test: 'holds', testFile: 'two' },
    };
    const ran: string[] = [];
    const run = async ([test = '']: readonly string[]): Promise<Outcome> => {
      ran.push(test);
      return outcomes[test] ?? { result: 'not caught' };
    };
    expect(await untilCaught(['one', 'two', 'three'], run)).toEqual(outcomes.two);
    expect(ran).toEqual(['one', 'two']);
    expect(await untilCaught(['one', 'three'], run)).toEqual({ result: 'not caught' });
  });
});

describe('the outcome of a run of tests', () => {
  const report = (success: boolean, ...testResults: TestReport['testResults']): TestReport => ({
    success,
    testResults,
  });
  const file = (status: string, message: string, ...tests: readonly string[]) => ({
    name: '/copy/test/a.test.ts',
    status,
    message,
    assertionResults: tests.map((one) => ({ fullName: 'the title', status: one })),
  });
  const pathOf = (path: string) => path.replace('/copy/', '');

  it('is caught when a test failed', () => {
    expect(outcomeOf(report(false, file('failed', '', 'passed', 'failed')), pathOf)).toEqual({
      result: 'caught',
      test: 'the title',
      testFile: 'test/a.test.ts',
    });
  });

  it('is not caught when all tests passed', () => {
    expect(outcomeOf(report(true, file('passed', '', 'passed')), pathOf)).toEqual({ result: 'not caught' });
  });

  it.each<[string, TestReport, string]>([
    [
      'a file failed to load',
      report(false, file('failed', 'SyntaxError\nat a')),
      'test/a.test.ts: SyntaxError',
    ],
    [
      'the set-up of a file failed',
      report(false, file('failed', 'no port', 'skipped')),
      'test/a.test.ts: no port',
    ],
    ['there was no test', report(true), 'no test was found'],
    [
      'only the run failed',
      report(false, file('passed', '', 'passed')),
      'the run failed, but none of its tests did',
    ],
  ])('shows nothing when %s', (_, given, detail) => {
    expect(outcomeOf(given, pathOf)).toEqual({ result: 'did not load', detail });
  });
});

describe('choosing defects', () => {
  const [first] = subjects;

  it('takes all without a name', () => {
    expect(choose(subjects, [])).toEqual(subjects);
  });

  it('takes subjects and single defects by name', () => {
    const [, , other] = defects;
    expect(choose(subjects, [first?.subject ?? ''])).toEqual([first]);
    expect(choose(subjects, [other?.name ?? '']).flatMap((one) => one.defects)).toEqual([other]);
  });

  it('refuses a name that is neither', () => {
    expect(() => choose(subjects, ['nothing'])).toThrow("There is no defect or subject 'nothing'");
  });
});

describe('what is printed', () => {
  const [defect] = defects;
  if (defect === undefined) {
    throw new Error('there is no defect');
  }
  const missed = { subject: 'one', defect, outcome: { result: 'not caught' }, seconds: 1 } as const;
  const caught = {
    subject: 'two',
    defect: { ...defect, name: 'another' },
    outcome: { result: 'caught', test: 'the title', testFile: 'test/a.test.ts' },
    seconds: 1,
  } as const;
  const printedBy = (isTTY: boolean) => {
    let text = '';
    const stream = { isTTY, columns: 60, write: (part: string) => (text += part) };
    const progress = createProgress(stream, 2);
    for (const one of [missed, caught]) {
      progress.begin(one.defect.name);
      progress.end(one);
    }
    progress.finish();
    return text;
  };

  it('is a plain line for each defect where there is no terminal', () => {
    expect(printedBy(false)).toBe(`1/2  ${lineOf(missed)}\n2/2  ${lineOf(caught)}\n`);
    expect(lineOf(caught)).toBe('caught               another: by "the title" (test/a.test.ts)');
    expect(lineOf(missed)).toBe(`NOT CAUGHT           ${defect.name}: ${defect.promise}`);
  });

  it('is one line that is redrawn on a terminal, and the defects that no test caught', () => {
    const text = printedBy(true);
    expect(text).toContain(`${lineOf(missed)}\n`);
    expect(text).not.toContain('the title');
    expect(text.split('\n')).toHaveLength(2);
    expect(text).toContain('2 of 2, 1 caught');
    expect(text.endsWith('\r\u001b[2K')).toBe(true);
  });

  it('counts by subject at the end', () => {
    expect(countsTable([missed, caught])).toBe(
      'subject  planted  caught  not caught\n' +
        'one      1        0       1\n' +
        'two      1        1       0\n' +
        'all      2        1       1\n',
    );
  });
});
