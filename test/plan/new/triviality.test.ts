import { expect, test } from 'vitest'
import { trivialityOf } from '../../../src/plan/new/change/triviality.js'

function triviality(file: string, before: string, after: string) {
  return trivialityOf({ file, status: 'modified', before, after })
}

test.each([
  ['a.ts', 'f() // one', 'f() // two'],
  ['a.ts', 'const p = /[/"]/ // one', 'const p = /[/"]/ // two'],
  ['a.ts', 'const t = `${`a // b`}` /* one */', 'const t = `${`a // b`}` /* two */'],
  ['a.rs', "fn f<'a>(x: &'a str) {} // one", "fn f<'a>(x: &'a str) {} // two"],
  ['a.rs', '/* a /* b */ c */ fn f() {}', '/* a /* b */ d */ fn f() {}'],
  ['a.rs', 'let s = r#"a "quoted" one"#; // one', 'let s = r#"a "quoted" one"#; // two'],
  ['a.go', 'var q = `\\` // one', 'var q = `\\` // two'],
  ['a.py', 'x = 1  # one', 'x = 1  # two'],
  ['a.py', 'x = "#"\n\n# one\ny = 2', 'x = "#"\ny = 2'],
  ['A.java', 'int x; // one', 'int x; /* two */'],
])('%s: %j differs in comments only', (file, before, after) => {
  expect(triviality(file, before, after)).toBe('comments')
})

test.each([
  ['a.ts', "import { a, b } from './x'\na()", "import { a } from './x'\na()"],
  ['a.ts', "import type { T } from './x'\nimport { a } from 'y'\na()", "import { a } from 'y'\na()"],
  [
    'a.ts',
    "import { a } from 'x'\nimport { b } from 'y'\na(b)",
    "import { b } from 'y'\nimport { a } from 'x'\na(b)",
  ],
  ['a.go', 'import (\n\t"a"\n\tz "b"\n)\nf()', 'import (\n\t"a"\n)\nf()'],
  ['a.rs', 'use a::{b, c::{d, e}};\nf();', 'use a::c::e;\nf();'],
  ['a.py', 'import os, sys\nfrom a import (b, c)\nf()', 'import sys\nfrom a import b\nf()'],
  ['A.java', 'import a.B;\nimport a.C;\nclass A {}', 'import a.C;\nclass A {}'],
])('%s: %j drops imports only', (file, before, after) => {
  expect(triviality(file, before, after)).toBe('imports')
})

test.each([
  ['a.ts', 'throw new Error("cannot recieve it now")', 'throw new Error("cannot receive it now")'],
  ['a.go', 'log("the leader is gon now") // x', 'log("the leader is gone now")'],
])('%s: %j mends a typo only', (file, before, after) => {
  expect(triviality(file, before, after)).toBe('typos')
})

test.each([
  ['a.ts', 'f("// one")', 'f("// two")'],
  ['a.ts', 'const p = /\\/\\/ one/', 'const p = /\\/\\/ two/'],
  ['a.ts', 'const t = `${x /* } */} one`', 'const t = `${y /* } */} one`'],
  ['a.tsx', '<a href>http://one</a>', '<a href>http://two</a>'],
  ['a.ts', "import './a'\nimport { b } from './b'\nf()", "import './a'\nf()"],
  ['a.ts', "import { b } from './b'\nb()", "import { b } from './c'\nb()"],
  ['a.ts', "import { a } from './b'\nb()", "import { a as b } from './b'\nb()"],
  ['a.ts', "export { b } from './b'\nf()", 'f()'],
  ['a.go', 'import (\n\t"a"\n\t_ "b"\n)\nf()', 'import (\n\t"a"\n)\nf()'],
  ['a.go', '//go:embed a.txt\nvar a string', '//go:embed b.txt\nvar a string'],
  ['a.rs', 'pub use a::b;\nf();', 'f();'],
  ['a.rs', "let c = '/'; let d = 1;", "let c = '/'; let d = 2;"],
  ['a.py', 'if a:\n    b()\nc()', 'if a:\n    b()\n    c()'],
  ['a.py', 'x = """\n# one\n"""', 'x = """\n# two\n"""'],
  ['a.ts', 'q("select a from one here")', 'q("select a from on here")'],
  ['a.ts', 'throw new Error("after 10 tries it failed")', 'throw new Error("after 11 tries it failed")'],
  ['a.ts', 'f("key")', 'f("kez")'],
  ['a.yaml', '# one\na: 1', '# two\na: 1'],
  ['a.c', '#include <a.h>\nint x;', 'int x;'],
  ['Makefile', '# one', '# two'],
  ['requirements.txt', 'a==1', 'a==2'],
])('%s: %j may change what the system does', (file, before, after) => {
  expect(triviality(file, before, after)).toBeNull()
})
