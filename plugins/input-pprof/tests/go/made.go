// SPDX-License-Identifier: Apache-2.0
// Made cpu.pb.gz and heap.pb.gz with Go 1.19: go run made.go
package main

import (
	"context"
	"os"
	"runtime"
	"runtime/pprof"
	"time"
)

var sink uint64

//go:noinline
func spin(n int) {
	x := uint64(n)
	for i := 0; i < n; i++ {
		x = x*6364136223846793005 + 1
	}
	sink += x
}

func inl(n int) { spin(n); sink++ }

//go:noinline
func alpha(n int) { inl(n) }

//go:noinline
func rec(d, n int) {
	spin(n)
	if d > 0 {
		rec(d-1, n)
	}
	sink++
}

func main() {
	f, _ := os.Create("cpu.pb.gz")
	pprof.StartCPUProfile(f)
	pprof.Do(context.Background(), pprof.Labels("stage", "one"), func(context.Context) {
		t := time.Now()
		for time.Since(t) < 200*time.Millisecond {
			alpha(1000000)
		}
	})
	t := time.Now()
	for time.Since(t) < 200*time.Millisecond {
		rec(3, 500000)
	}
	pprof.StopCPUProfile()
	f.Close()
	runtime.MemProfileRate = 1
	var keep [][]byte
	for i := 0; i < 10; i++ {
		keep = append(keep, make([]byte, 1000))
	}
	h, _ := os.Create("heap.pb.gz")
	pprof.Lookup("heap").WriteTo(h, 0)
	h.Close()
	runtime.KeepAlive(keep)
}
