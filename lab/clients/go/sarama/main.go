// sarama: BOOTSTRAP TOPIC GROUP CLIENT_ID [roundrobin|sticky|range]
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/IBM/sarama"
)

type handler struct{}

func (handler) Setup(s sarama.ConsumerGroupSession) error {
	log.Printf("setup generation=%d member=%s claims=%v", s.GenerationID(), s.MemberID(), s.Claims())
	return nil
}

func (handler) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (handler) ConsumeClaim(s sarama.ConsumerGroupSession, c sarama.ConsumerGroupClaim) error {
	for {
		select {
		case m, ok := <-c.Messages():
			if !ok {
				return nil
			}
			s.MarkMessage(m, "")
		case <-s.Context().Done():
			return nil
		}
	}
}

func main() {
	sarama.Logger = log.New(os.Stdout, "[sarama] ", log.LstdFlags|log.Lmicroseconds)
	config := sarama.NewConfig()
	config.ClientID = os.Args[4]
	config.Version = sarama.V2_4_0_0 // the oldest brokers that the lab plays on
	config.Consumer.Group.Session.Timeout = 10 * time.Second
	config.Consumer.Group.Heartbeat.Interval = time.Second
	if len(os.Args) > 5 {
		strategy := map[string]sarama.BalanceStrategy{
			"roundrobin": sarama.NewBalanceStrategyRoundRobin(),
			"sticky":     sarama.NewBalanceStrategySticky(),
			"range":      sarama.NewBalanceStrategyRange(),
		}[os.Args[5]]
		config.Consumer.Group.Rebalance.GroupStrategies = []sarama.BalanceStrategy{strategy}
	}
	group, err := sarama.NewConsumerGroup(strings.Split(os.Args[1], ","), os.Args[3], config)
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	for ctx.Err() == nil {
		if err := group.Consume(ctx, []string{os.Args[2]}, handler{}); err != nil {
			log.Printf("Error from consumer: %v", err)
			time.Sleep(time.Second)
		}
	}
	group.Close()
}
