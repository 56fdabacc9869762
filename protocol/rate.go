package protocol

import (
	"hash/maphash"
	"net/netip"

	"golang.org/x/time/rate"
)

// rates bound how often each host may ask for what is not of a match in play. Hosts
// share a fixed number of allowances by a hash that nobody foresees, so that a flood
// from many addresses takes no memory.
type rates struct {
	seed maphash.Seed
	each []*rate.Limiter
}

// hostsApart is how many allowances there are.
const hostsApart = 1024

// newRates allows so many messages a second; below 0: any number.
func newRates(perSecond int) *rates {
	r := &rates{seed: maphash.MakeSeed()}
	if perSecond > 0 {
		r.each = make([]*rate.Limiter, hostsApart)
		for i := range r.each {
			r.each[i] = rate.NewLimiter(rate.Limit(perSecond), 4*perSecond)
		}
	}
	return r
}

// allow takes one from the allowance of a host, and tells whether there was one.
func (r *rates) allow(host string) bool {
	if r.each == nil {
		return true
	}
	return r.each[maphash.String(r.seed, network(host))%hostsApart].Allow()
}

// network is what one owner of addresses surely has: of IPv6 a net of 64 bits.
func network(host string) string {
	if a, err := netip.ParseAddr(host); err == nil && a.Is6() && !a.Is4In6() {
		if p, err := a.WithZone("").Prefix(64); err == nil {
			return p.String()
		}
	}
	return host
}
