// franz-go: BOOTSTRAP TOPIC GROUP CLIENT_ID [range|roundrobin|sticky|cooperative-sticky]
package main

import (
	"context"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

func main() {
	stamp := func() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000Z ") }
	options := []kgo.Opt{
		kgo.SeedBrokers(strings.Split(os.Args[1], ",")...),
		kgo.ConsumeTopics(os.Args[2]),
		kgo.ConsumerGroup(os.Args[3]),
		kgo.ClientID(os.Args[4]),
		kgo.SessionTimeout(10 * time.Second),
		kgo.HeartbeatInterval(time.Second),
		kgo.WithLogger(kgo.BasicLogger(os.Stderr, kgo.LogLevelInfo, stamp)),
	}
	if len(os.Args) > 5 {
		options = append(options, kgo.Balancers(map[string]kgo.GroupBalancer{
			"range":              kgo.RangeBalancer(),
			"roundrobin":         kgo.RoundRobinBalancer(),
			"sticky":             kgo.StickyBalancer(),
			"cooperative-sticky": kgo.CooperativeStickyBalancer(),
		}[os.Args[5]]))
	}
	client, err := kgo.NewClient(options...)
	if err != nil {
		panic(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	for ctx.Err() == nil {
		client.PollFetches(ctx)
	}
	client.Close()
}
