module lab

go 1.21

require (
	github.com/IBM/sarama v1.45.1
	github.com/segmentio/kafka-go v0.4.47
	github.com/twmb/franz-go v1.18.1
)
