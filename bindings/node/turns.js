// Two functions take turns in one thread. The planted answer: `long` is worth three quarters of all, `short` a quarter.
//
//     cc -shared -fPIC -O2 -I/usr/include/node coz.c -o coz.node
//     coz run --granularity function --fixed-function '%long%' --- node --perf-basic-prof turns.js 30
'use strict'
const coz = require(process.env.COZ_NODE || './coz.node')

function long() {
  let x = 1
  for (let i = 0; i < 300000; i++) x = Math.imul(x ^ (x >>> 15), 2246822519) + i
  return x
}

function short() {
  let x = 1
  for (let i = 0; i < 100000; i++) x = Math.imul(x ^ (x >>> 15), 3266489917) + i
  return x
}

const end = Date.now() + 1000 * Number(process.argv[2] || 10)
let sum = 0
let turns = 0
while (Date.now() < end) {
  coz.begin('a turn')
  sum ^= long() ^ short()
  coz.end('a turn')
  coz.progress('turn')
  turns++
}
console.log(`${turns} turns (${sum})`)
